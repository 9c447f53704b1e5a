// SetUp.

export default function SetUp() {
  return <main class="lone">SetUp</main>;
}
