import { render } from 'preact'
import { Frame } from './frame.tsx'
import { followLinks } from './route.ts'

const root = document.querySelector('#app')
if (root) {
  followLinks()
  render(<Frame />, root)
}
