package dev.penstock.gateway.udp;

import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.Keys;
import org.jspecify.annotations.Nullable;

/**
 * A target that answers with the request body after find and replace.
 *
 * @param find the text to find, 1 character or more
 * @param with the replacement; may be empty
 */
record ReplaceTo(Configured<String> find, Configured<String> with) implements To {
    private static final String EXAMPLE = "replace: { find: \"PENDING\", with: \"ACCEPTED\" }";
    private static final Keys REPLACE = Keys.of("to.replace", "find (search from what), with (to by replacement)");

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

    static @Nullable ReplaceTo read(ConfigValue value) {
        ConfigMapping given = value.mapping(REPLACE, EXAMPLE);
        if (given == null) {
            return null;
        }
        Configured<String> find = given.required("find", "find: \"PENDING\"", ReplaceTo::find);
        Configured<String> with = given.required("with", "with: \"ACCEPTED\", or with: \"\"", ConfigValue::text);
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
