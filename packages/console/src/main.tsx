import { render } from 'preact'
import { Frame, preloadPage } from './frame.tsx'
import { followLinks } from './route.ts'

const root = document.querySelector('#app')
if (root) {
  followLinks()
  preloadPage()
  render(<Frame />, root)
}
