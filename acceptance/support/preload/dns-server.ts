// Preloaded into the server, this makes it query the name server in DNS_SERVER.
import { setServers } from 'node:dns'

setServers([process.env['DNS_SERVER'] ?? ''])
