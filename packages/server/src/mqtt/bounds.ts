import { MAX_PAYLOAD_BYTES } from './broker.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Connections to the embedded broker in all, whatever their state. */
export const MAX_CONNECTIONS = 10_000

/** A CONNECT packet holds a client id, an account and a last will on one of our topics: some 500 bytes. */
export const MAX_CONNECT_BYTES = 4 * KIB
/** From the TCP connection to the CONNACK, a TLS handshake included. */
export const SIGN_ON_WITHIN_MS = 5_000
/**
 * Connections that have not signed on. Beyond either bound the one that has waited longest is closed, not the newest: gateways that
 * all reconnect at once sign on within milliseconds, a connection that is held open on purpose waits.
 */
export const MAX_PENDING = 1_000
export const MAX_PENDING_PER_ADDRESS = 100

/** A gateway has one connection, or a few; the rest is room for connections whose end was not noticed yet. */
export const MAX_CONNECTIONS_PER_ACCOUNT = 50
export const MAX_SUBSCRIPTIONS = 1_000
export const MAX_SUBSCRIPTIONS_PER_ACCOUNT = 5_000
/** Our longest topic has 137 characters. */
export const MAX_FILTER_LENGTH = 256
/** QoS 2 messages of one connection whose PUBREL has not come. Only their packet identifiers are stored. */
export const MAX_UNRELEASED_QOS2 = 100

/** A publish may have a topic of 64 KiB and a packet identifier beside its payload. */
export const MAX_PUBLISH_BYTES = MAX_PAYLOAD_BYTES + 2 + 65_535 + 2
/** Any other packet: SUBSCRIBE with a thousand of our topics has 100 KB. */
export const MAX_OTHER_PACKET_BYTES = 128 * KIB
/** What is parsed of one connection before others have their turn. */
export const PACKETS_PER_TURN = 100
export const BYTES_PER_TURN = 64 * KIB

/** Messages of one connection that are not acknowledged yet: beyond it the connection is not read. */
export const MAX_UNANSWERED_MESSAGES = 1_000
/** Beside its payload a message takes about this much memory. */
export const MESSAGE_COST_BYTES = 512

/** A subscriber that has taken nothing of what waits for it for so long is disconnected. */
export const DRAIN_WITHIN_MS = 30_000

/** Bytes that are in memory because of a connection. */
export type ByteKind = 'unanswered' | 'incomplete' | 'outgoing'

export interface ByteBounds {
  connection: number
  /** All connections of one account. */
  account: number
  /** All connections of the broker. */
  total: number
  /** A connection below it is spared where others use up the bound of the account or of the broker. */
  floor: number
}

export const BYTE_BOUNDS: Record<ByteKind, ByteBounds> = {
  /** Messages that are not acknowledged yet. At the bound the connection is not read until some are. */
  unanswered: { connection: 4 * MIB, account: 16 * MIB, total: 128 * MIB, floor: 64 * KIB },
  /** Packets of which a part has still to arrive. At the bound the connection is closed. */
  incomplete: { connection: 2 * MIB, account: 8 * MIB, total: 64 * MIB, floor: 64 * KIB },
  /** What a client has not read yet. At the bound the connection is closed. */
  outgoing: { connection: 4 * MIB, account: 16 * MIB, total: 64 * MIB, floor: 64 * KIB },
}
