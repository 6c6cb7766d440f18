package dev.penstock.gateway.udp;

import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A target that answers with the request body after find and replace.
 *
 * @param steps one or more, in the order of the file: each works on the result of the one before
 */
record ReplaceTo(List<Step> steps) implements To {
    private static final String EXAMPLE = "replace: { find: \"PENDING\", with: \"ACCEPTED\" }";
    private static final Schema REPLACE = Schema.of("to.replace", EXAMPLE);
    private static final Key<String> FIND = REPLACE.key(
                    "find", KeyType.text("1 character or more", ReplaceTo::find), "the text to find")
            .required("find: \"PENDING\"")
            .alias("search from what");
    private static final Key<String> WITH = REPLACE.key(
                    "with", KeyType.text(), "the replacement; may be empty; with regex, $1 is the first group")
            .required("with: \"ACCEPTED\", or with: \"\"")
            .alias("to by replacement");
    private static final Key<Boolean> REGEX = REPLACE.key(
                    "regex", KeyType.bool(), "whether find is a regular expression (RE2), matched in linear time")
            .or(false);
    static final Key<ReplaceTo> TO = Key.of(
                    "replace",
                    KeyType.mappings(REPLACE, ReplaceTo::read),
                    "the body of the request, after find and replace; a list works on the result of the one before")
            .alias("find");

    /**
     * One find and replace.
     *
     * @param find the text to find, 1 character or more
     * @param with the replacement; may be empty
     * @param regex whether {@code find} is a regular expression
     */
    record Step(Configured<String> find, Configured<String> with, Configured<Boolean> regex) {}

    ReplaceTo {
        steps = List.copyOf(steps);
    }

    @Override
    public String kind() {
        return "replace";
    }

    @Override
    public boolean isInProcess() {
        return true;
    }

    @Override
    public String toString() {
        return "replace";
    }

    private static @Nullable ReplaceTo read(ConfigValue value) {
        List<Step> steps = new ArrayList<>();
        List<ConfigValue> all = value.each();
        for (ConfigValue each : all) {
            Step step = step(each);
            if (step != null) {
                steps.add(step);
            }
        }
        if (all.isEmpty()) {
            value.refuse("is an empty list", "write for instance " + EXAMPLE);
        }
        return all.isEmpty() || steps.size() < all.size() ? null : new ReplaceTo(steps);
    }

    private static @Nullable Step step(ConfigValue value) {
        ConfigMapping given = value.mapping(REPLACE);
        if (given == null) {
            return null;
        }
        Configured<String> find = given.find(FIND);
        Configured<String> with = given.find(WITH);
        Configured<Boolean> regex = given.get(REGEX);
        if (find == null || with == null || (regex.value() && !isPattern(find, with, given))) {
            return null;
        }
        return new Step(find, with, regex);
    }

    private static boolean isPattern(Configured<String> find, Configured<String> with, ConfigMapping given) {
        try {
            Replacement.regex(find.value(), with.value());
            return true;
        } catch (IllegalArgumentException wrong) {
            given.refuse(
                    FIND,
                    "is not a regular expression that RE2 supports (" + wrong.getMessage() + ")",
                    "correct it; look-around and back references do not exist there");
            return false;
        }
    }

    private static @Nullable String find(ConfigValue value) {
        return value.notEmpty(String::isEmpty, "write one character or more");
    }
}
