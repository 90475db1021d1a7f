# Sourced by checks that a busy machine can make fail: `again COMMAND...` runs a command up to three times until it succeeds,
# and tells of each failed try. What is broken fails each time.
again() {
    local status=0 i
    for ((i = 1; i <= 3; i++)); do
        "$@" && return || status=$?
        echo "try $i of 3 ended with $status: $*" >&2
    done
    return "$status"
}
