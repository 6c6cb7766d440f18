package dev.penstock.gateway.udp;

import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A target that answers with the request body after find and replace.
 *
 * @param find the text to find, 1 character or more
 * @param with the replacement; may be empty
 */
record ReplaceTo(Configured<String> find, Configured<String> with) implements To {
    private static final String EXAMPLE = "replace: { find: \"PENDING\", with: \"ACCEPTED\" }";
    private static final Schema REPLACE = Schema.of("to.replace", EXAMPLE);
    private static final Key<String> FIND = REPLACE.key(
                    "find", KeyType.text("1 character or more", ReplaceTo::find), "the text to find")
            .required("find: \"PENDING\"")
            .alias("search from what");
    private static final Key<String> WITH = REPLACE.key("with", KeyType.text(), "the replacement; may be empty")
            .required("with: \"ACCEPTED\", or with: \"\"")
            .alias("to by replacement");
    static final Key<ReplaceTo> TO = Key.of(
                    "replace",
                    KeyType.mapping(REPLACE, ReplaceTo::read),
                    "the body of the request, after find and replace")
            .alias("find");

    @Override
    public String kind() {
        return "replace";
    }

    @Override
    public boolean isInProcess() {
        return true;
    }

    @Override
    public void check(FlowConfig flow, ConfigProblems problems) {
        new UdpCrossFieldChecks(problems).settle(flow);
    }

    @Override
    public String toString() {
        return "replace";
    }

    private static @Nullable ReplaceTo read(ConfigValue value) {
        ConfigMapping given = value.mapping(REPLACE);
        if (given == null) {
            return null;
        }
        Configured<String> find = given.find(FIND);
        Configured<String> with = given.find(WITH);
        return find == null || with == null ? null : new ReplaceTo(find, with);
    }

    private static @Nullable String find(ConfigValue value) {
        String text = value.text();
        if (text != null && text.isEmpty()) {
            value.refuse("is empty", "write one character or more");
            return null;
        }
        return text;
    }
}
