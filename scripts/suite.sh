# The test programs that a tool can watch: `suite COMMAND...` runs `COMMAND --lib --test NAME...`. Sourced by scripts.
# Left out are those that run compilers, debuggers and other programs of their own, compare machine code, or count
# instructions: a tool tells nothing of larder by them, and changes what they look at.
cannot=(codegen instructions ui debugger examples)

suite() {
    local all program programs=(--lib)
    mapfile -t all < <(cargo metadata --no-deps --format-version 1 |
        python3 -c 'import json,sys
for package in json.load(sys.stdin)["packages"]:
    if package["name"] == "larder":
        print("\n".join(t["name"] for t in package["targets"] if "test" in t["kind"]))')
    for program in "${all[@]}"; do
        [[ " ${cannot[*]} " == *" $program "* ]] || programs+=(--test "$program")
    done
    "$@" "${programs[@]}"
}
