import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPrivateFolder } from '@portico/server/kernel/private-folder'
import { OperatorError } from '@portico/server/operator/operator'
import type { Command } from '../command.ts'

const FOLDER = 'dev-cert'

export const command: Command = {
  localOnly: 'it creates files on this machine',
  options: { force: { type: 'boolean' } },
  help: {
    force: 'Replace an existing certificate; its authority is kept, so that clients still trust it.',
  },
  async run({ config, values, out }) {
    const { makeDevCertificate } = await import('../dev-cert/make.ts')
    const folder = join(config.dataDir, FOLDER)
    const caFile = join(folder, 'ca.pem')
    const certFile = join(folder, 'cert.pem')
    const keyFile = join(folder, 'key.pem')
    if (existsSync(certFile) && values['force'] !== true) {
      throw new OperatorError(`${certFile} already exists; --force replaces it`)
    }
    createPrivateFolder(config.dataDir, FOLDER)
    const made = await makeDevCertificate({ caFile, caKeyFile: join(folder, 'ca-key.pem') })
    writeFileSync(keyFile, made.key, { mode: 0o600 })
    writeFileSync(certFile, made.cert)
    out.result({ caFile, certFile, keyFile }, [
      `Created a certificate for localhost. Serve with it:`,
      '',
      `  portico serve --tls-cert ${certFile} --tls-key ${keyFile}`,
      '',
      `and make clients trust ${caFile}:`,
      '',
      `  curl --cacert ${caFile} https://localhost:${config.port}/live`,
      `  NODE_EXTRA_CA_CERTS=${caFile} node your-program.js`,
    ])
    return 0
  },
}
