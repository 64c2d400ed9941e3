/** Up to so many places of a value are all changed, each alone. */
export const allChangedAlone = 250;
/** Of a larger value so many are, however large it is. */
const LEAST = 40;

/**
 * The places of a value that are each changed alone. To change one costs as much as the value is large, so fewer places of a
 * large value are taken: evenly, the first and the last among them.
 */
export function affordable<Place>(places: readonly Place[], size = places.length): readonly Place[] {
  const most = Math.max(LEAST, Math.floor(allChangedAlone ** 2 / Math.max(1, size)));
  if (places.length <= allChangedAlone || places.length <= most) return places;
  return Array.from(
    { length: most },
    (_, position) => places[Math.round((position * (places.length - 1)) / (most - 1))],
  ).filter((place) => place !== undefined);
}
