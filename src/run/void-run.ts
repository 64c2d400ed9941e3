/** The run could not say anything about the target: the harness, a hook or the target itself failed too early. */
export class VoidRun extends Error {
  override readonly name = 'VoidRun';
}
