import { type Static, Type } from 'typebox'
import { about } from '../about.ts'
import { EXAMPLE } from '../example-ids.ts'
import { Uuid } from '../uuid.ts'
import { MeasuredMetric } from './inventory.ts'

/** A record of an import, for the API description: each record is validated when it is read. */
export const ImportedReading = Type.Object(
  {
    deviceUuid: about(Uuid, 'The device that measured it.', EXAMPLE.meterUuid),
    metricType: about(MeasuredMetric, 'What was measured.', 'electricity'),
    timestamp: Type.String({
      format: 'date-time',
      description: 'ISO 8601 with an offset, to the millisecond.',
      examples: ['2026-11-14T10:00:00Z'],
    }),
    value: Type.Number({
      description: 'The register, the consumption of the interval, or the measured value.',
      examples: [1234.5],
    }),
  },
  {
    title: 'ImportedReading',
    additionalProperties: false,
    description: 'A value of one metric of one device at one instant.',
  },
)

export const ReadingsReport = Type.Object(
  {
    accepted: Type.Integer({ description: 'Number of new readings.', examples: [48] }),
    replaced: Type.Integer({
      description: 'Number of readings that replaced another value at the same time.',
      examples: [0],
    }),
    unchanged: Type.Integer({ description: 'Number of readings that were already stored.', examples: [0] }),
    refused: Type.Array(
      Type.Object(
        {
          line: Type.Integer({
            description: 'The line, or the position in the array, from 1.',
            examples: [7],
          }),
          code: Type.String({ description: 'What is wrong, as a code.', examples: ['unknown-device'] }),
          message: Type.String({
            description: 'What is wrong, in words.',
            examples: ['There is no such device.'],
          }),
        },
        {
          title: 'RefusedReading',
          additionalProperties: false,
          description: 'A record that was rejected, and why.',
        },
      ),
      { description: 'The first 1,000.' },
    ),
    refusedCount: Type.Integer({ description: 'Number of all rejected readings.', examples: [1] }),
  },
  { title: 'ReadingsReport', additionalProperties: false, description: 'What became of an import.' },
)

export type ReadingsReport = Static<typeof ReadingsReport>

/** A completed import of a file, for the audit log. */
export const ReadingsImport = Type.Object(
  {
    file: Type.String({ minLength: 1, maxLength: 1000, description: 'Name of the file.' }),
    accepted: Type.Integer({ minimum: 0, description: 'Number of new readings.', examples: [48] }),
    replaced: Type.Integer({ minimum: 0, description: 'Number of corrected readings.', examples: [0] }),
    unchanged: Type.Integer({
      minimum: 0,
      description: 'Number of readings that were stored before.',
      examples: [0],
    }),
    refusedCount: Type.Integer({ minimum: 0, description: 'Number of rejected readings.', examples: [1] }),
    isInterrupted: Type.Optional(Type.Boolean({ description: 'Whether the import stopped before the end.' })),
  },
  {
    title: 'ReadingsImport',
    additionalProperties: false,
    description: 'The totals of an import that took several requests.',
  },
)

export type ReadingsImport = Static<typeof ReadingsImport>
