import { createSocket } from 'node:dgram'
import { isIPv4, isIPv6 } from 'node:net'

/** Answers for a name: each address query gets the next list, and the last list is repeated. */
export type DnsAnswers = Record<string, string[][]>

const TYPE_A = 1
const TYPE_AAAA = 28
const QUESTION_AT = 12

/** A DNS server for A and AAAA records, which may change its answers between queries. */
export async function startDnsServer(answers: DnsAnswers) {
  const socket = createSocket('udp4')
  const queries: string[] = []
  socket.on('message', (query, client) => {
    const { name, end } = readName(query)
    const type = query.readUInt16BE(end)
    queries.push(`${name} ${type === TYPE_A ? 'A' : 'AAAA'}`)
    const lists = answers[name]
    const list = (lists && lists.length > 1 && type === TYPE_A ? lists.shift() : lists?.[0]) ?? []
    const records = list
      .filter((address) => (type === TYPE_A ? isIPv4(address) : type === TYPE_AAAA && isIPv6(address)))
      .map((address) => toRecord(type, address))
    const header = Buffer.alloc(QUESTION_AT)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(lists ? 0x8180 : 0x8183, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(records.length, 6)
    const question = query.subarray(QUESTION_AT, end + 4)
    socket.send(Buffer.concat([header, question, ...records]), client.port, client.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => socket.close(() => resolve()))
    },
  }
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = QUESTION_AT
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length).toLowerCase())
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 1 }
}

/** A record that refers to the name in the question, with a time to live of 0. */
function toRecord(type: number, address: string): Buffer {
  const data = type === TYPE_A ? Buffer.from(address.split('.').map(Number)) : toIpv6Bytes(address)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function toIpv6Bytes(address: string): Buffer {
  const [left = '', right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const parse = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const [before, after] = [parse(left), parse(right ?? '')]
  const groups = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
  const bytes = Buffer.alloc(16)
  for (const [index, group] of groups.entries()) bytes.writeUInt16BE(group, index * 2)
  return bytes
}
