/** The one space of a site that is not a room: its weather sensor hangs there. */
export const ROOF = 'Roof'

export const isOutdoors = ({ spaceName }: { spaceName: string }): boolean => spaceName === ROOF
