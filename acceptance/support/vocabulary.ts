/** The metric types with their units; of `motion` and `performance` only the meaning is fixed. */
export const units: Record<string, RegExp> = {
  electricity: /^kWh$/,
  gas: /^m3$/,
  water: /^m3$/,
  hotwater: /^m3$/,
  heating: /^kWh$/,
  cooling: /^kWh$/,
  solar: /^kWh$/,
  temperature: /^degC$/,
  humidity: /^%RH$/,
  co2: /^ppm$/,
  voc: /^ppb$/,
  pm25: /^ug\/m3$/,
  noise: /^dB\(A\)$/,
  light: /^lux$/,
  pressure: /^hPa$/,
  occupancy: /^people$/,
  motion: /^%/,
  carbon: /^kgCO2e$/,
  performance: /./,
}

export const metricTypes = Object.keys(units)
export const utilities = metricTypes.slice(0, 7)
export const environment = metricTypes.slice(7, 17)
export const derived = metricTypes.slice(17)

export const spaceTypes = ['bedroom', 'studio', 'livingKitchenDining', 'office', 'corridor', 'plant', 'other']

export const deviceTypes = [
  'electricityMeter',
  'gasMeter',
  'waterMeter',
  'heatMeter',
  'multiSensor',
  'thermostat',
  'trv',
  'heater',
  'smartPlug',
  'hotWaterCylinder',
  'airConditioner',
  'solarInverter',
  'occupancySensor',
]

export const spaceFields = [
  'spaceUuid',
  'spaceName',
  'spaceType',
  'siteUuid',
  'buildingUuid',
  'buildingName',
  'floorNumber',
  'clusterUuid',
  'clusterName',
  'areaM2',
  'capacity',
  'timeZone',
  'metricTypes',
  'deviceCount',
]

export const overviewFields = [
  ...spaceFields,
  'consumptionScope',
  'utilities',
  'environment',
  'occupancy',
  'devices',
]

export const deviceFields = [
  'deviceUuid',
  'deviceName',
  'deviceType',
  'manufacturer',
  'model',
  'serialNumber',
  'siteUuid',
  'buildingUuid',
  'floorNumber',
  'spaceUuid',
  'spaceName',
  'clusterUuid',
  'metricTypes',
  'controllable',
  'capabilities',
  'status',
  'lastSeenAt',
  'batteryPercent',
  'firmwareVersion',
  'installedAt',
]

export const commandFields = [
  'commandUuid',
  'deviceUuid',
  'type',
  'state',
  'createdAt',
  'updatedAt',
  'expiresAt',
  'completedAt',
  'failureReason',
  'clientReference',
  'schedule',
]
