/** The run says nothing about the target: the harness, a hook or the target failed too early. */
export class VoidRun extends Error {
  override readonly name = 'VoidRun';
}
