import { setEnabled } from '../set-enabled.ts'

export const command = setEnabled(false)
