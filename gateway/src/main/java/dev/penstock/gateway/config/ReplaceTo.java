package dev.penstock.gateway.config;

import dev.penstock.gateway.config.FlowConfig.To;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A target that answers with the request body after find and replace.
 *
 * @param find the text to find, 1 character or more
 * @param with the replacement; may be empty
 */
public record ReplaceTo(Configured<String> find, Configured<String> with) implements To {
    private static final String EXAMPLE = "replace: { find: \"PENDING\", with: \"ACCEPTED\" }";
    private static final Keys REPLACE = Keys.of("to.replace", "find", "with")
            .aliases(Map.of(
                    "search",
                    "find",
                    "from",
                    "find",
                    "what",
                    "find",
                    "to",
                    "with",
                    "by",
                    "with",
                    "replacement",
                    "with"));

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

    static @Nullable ReplaceTo read(ConfigValue value) {
        ConfigMapping given = value.mapping(REPLACE, EXAMPLE);
        ConfigValue find = given == null ? null : given.required("find", "find: \"PENDING\"");
        ConfigValue with = given == null ? null : given.required("with", "with: \"ACCEPTED\", or with: \"\"");
        String found = find == null ? null : find.text();
        String put = with == null ? null : with.text();
        if (find == null || found == null || with == null || put == null) {
            return null;
        }
        if (found.isEmpty()) {
            find.refuse("is empty", "write one character or more");
            return null;
        }
        return new ReplaceTo(Configured.inFile(found, find.location()), Configured.inFile(put, with.location()));
    }
}
