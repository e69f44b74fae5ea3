// Imported before anything else: every server of the test file then has two workers, and each request meets one or the other.
process.env['PORTICO_WORKERS'] = '2'
