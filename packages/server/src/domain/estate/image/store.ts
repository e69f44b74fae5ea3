import type { AuditEntry } from '../../identity/audit.ts'
import type { Image } from './image.ts'

export interface ImageStore {
  /** The tenant's: one for the installation. */
  logo(): Promise<Image | undefined>
  setLogo(image: Image, entry: AuditEntry): Promise<void>
  ofBuilding(siteUuid: string, buildingUuid: string): Promise<Image | undefined>
  /** False when no site has such a building. */
  setOfBuilding(buildingUuid: string, image: Image, entry: AuditEntry): Promise<boolean>
}
