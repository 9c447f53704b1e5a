// SignIn.

export default function SignIn() {
  return <main class="lone">SignIn</main>;
}
