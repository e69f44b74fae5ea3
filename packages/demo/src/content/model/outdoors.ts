/** The only outdoor space of a site, with its weather sensor. */
export const ROOF = 'Roof'

export const isOutdoors = ({ spaceName }: { spaceName: string }): boolean => spaceName === ROOF
