package dev.penstock.gateway.config;

/**
 * An answer that is the request's body with some text replaced.
 *
 * @param find what is looked for, 1 character or more
 * @param with what is put there instead; may be empty
 */
public record ReplaceTo(Configured<String> find, Configured<String> with) implements To {
    @Override
    public PoolConfig pool() {
        return PoolConfig.AUTOMATIC;
    }

    @Override
    public String kind() {
        return "replace";
    }

    @Override
    public String toString() {
        return "replace";
    }
}
