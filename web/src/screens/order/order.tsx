import type { Path } from '../../app/routes.ts'
import { Screen } from '../../app/screen.tsx'

export default function S({ path }: { path: Path }) {
  return <Screen path={path}>{null}</Screen>
}
