import type { AuditEntry } from '../../identity/audit.ts'
import type { Image } from './image.ts'

export interface ImageStore {
  /** The logo of the tenant, one per installation. */
  logo(): Promise<Image | undefined>
  setLogo(image: Image, entry: AuditEntry): Promise<void>
  ofBuilding(siteUuid: string, buildingUuid: string): Promise<Image | undefined>
  /** False if no site has the building. */
  setOfBuilding(buildingUuid: string, image: Image, entry: AuditEntry): Promise<boolean>
}
