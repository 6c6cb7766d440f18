package dev.penstock.gateway.config;

/**
 * A target that answers with the request body after find and replace.
 *
 * @param find the text to find, 1 character or more
 * @param with the replacement; may be empty
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
