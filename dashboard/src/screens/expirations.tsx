export default function Expirations() {
  return null
}
