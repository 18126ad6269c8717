import * as fc from 'fast-check'

/**
 * Any text of up to so many code points. The same texts as `fc.string({ unit: 'binary' })`, which first computes tables for
 * several seconds.
 */
export const anyText = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(
      fc.integer({ min: 0, max: 0x10_ff_ff }).filter((point) => point < 0xd8_00 || point > 0xdf_ff),
      { maxLength },
    )
    .map((points) => String.fromCodePoint(...points))
