import { render } from 'preact'
const root = document.querySelector('#app')
if (root) render(<h1>Console</h1>, root)
