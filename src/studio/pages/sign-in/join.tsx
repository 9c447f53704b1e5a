// Join.

export default function Join() {
  return <main class="lone">Join</main>;
}
