import assert from 'node:assert/strict'
import { asObject, asString, parseJson } from '../json.ts'
import { readNewPartner } from '../clients/operator.ts'
import { copyDataDir, makeTempDir, runPortico } from './portico.ts'

/** A data folder with an operator only. */
export interface OperatorDir {
  dataDir: string
  clientId: string
  clientSecret: string
}

const variable = 'ACCEPTANCE_OPERATOR_DIR'

/** Creates a folder: a copy of the run's, which saves a command and the migrations. */
export async function makeOperatorDir(env: Record<string, string> = {}): Promise<OperatorDir> {
  const made = process.env[variable]
  if (made === undefined || 'DATABASE_URL' in env) {
    const dataDir = await makeTempDir()
    return { dataDir, ...(await addOperator({ dataDir, env })) }
  }
  const { dataDir, clientId, clientSecret } = asObject(parseJson(made))
  return {
    dataDir: await copyDataDir(asString(dataDir)),
    clientId: asString(clientId),
    clientSecret: asString(clientSecret),
  }
}

/** Creates the folder that makeOperatorDir copies, also in child processes. */
export async function prepareOperatorDir(): Promise<string> {
  const prepared = await makeOperatorDir()
  process.env[variable] = JSON.stringify(prepared)
  return prepared.dataDir
}

/** Adds an operator on the command line. */
export async function addOperator(
  at: { dataDir?: string; env?: Record<string, string> } = {},
): Promise<Omit<OperatorDir, 'dataDir'>> {
  const added = await runPortico(['partner', 'add', '--name', 'Operator', '--role', 'Operator', '--json'], at)
  assert.equal(added.code, 0, added.stderr)
  const { clientId, clientSecret } = readNewPartner(asObject(parseJson(added.stdout)))
  return { clientId, clientSecret }
}
