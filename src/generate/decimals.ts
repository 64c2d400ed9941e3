/** A finite number exactly: `units * 10 ** -scale`. */
export type Decimal = { readonly units: bigint; readonly scale: number };

/** The decimal that JSON text of this number shows. */
export function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

export function numberOf({ units, scale }: Decimal): number {
  return Number(`${units}e-${scale}`);
}

/** Units of a decimal at a larger scale. */
export function unitsAt(decimal: Decimal, scale: number): bigint {
  return decimal.units * 10n ** BigInt(scale - decimal.scale);
}

/** Whether `value` is a multiple of `step` as the decimals that they are written as (JSON Schema validation, section 6.2.1). */
export function isMultiple(value: number, step: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return step !== 0 && value % step === 0;
  if (!Number.isFinite(value) || !Number.isFinite(step)) return false;
  const [one, other] = [decimalOf(value), decimalOf(step)];
  const scale = Math.max(one.scale, other.scale);
  const divisor = unitsAt(other, scale);
  return divisor !== 0n && unitsAt(one, scale) % divisor === 0n;
}

/** The least common multiple of steps, as a decimal. */
export function commonStep(steps: readonly number[]): Decimal {
  const decimals = steps.map(decimalOf);
  const scale = Math.max(0, ...decimals.map((decimal) => decimal.scale));
  const units = decimals
    .map((decimal) => unitsAt(decimal, scale))
    .reduce((one, other) => (one / divisorOf(one, other)) * other, 1n);
  return { units, scale };
}

function divisorOf(one: bigint, other: bigint): bigint {
  return other === 0n ? one : divisorOf(other, one % other);
}
