/** True for a number that the service could have assigned. */
export function isOrdinary(id: string): boolean {
  return /^\d{1,12}$/.test(id);
}
