package dev.penstock.lab.race;

import java.util.Map;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the runner and a contestant's JVM say to each other, a line each: the first word is what, the rest JSON or text.
 *
 * <pre>
 *   runner --> contestant   task {...}   go
 *   contestant --> runner   ready   progress TEXT   result {...}   failed TEXT
 * </pre>
 *
 * <p>Lines of the contestant begin with {@link #MARK}: libraries print to standard output whenever they like.
 */
final class BlockProtocol {
    /** Begins each line of ours from the contestant's JVM. */
    static final String MARK = "@race ";

    static final String GO = "go";
    static final String READY = "ready";
    static final String PROGRESS = "progress ";
    static final String RESULT = "result ";
    static final String FAILED = "failed ";

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /**
     * What the contestant's JVM is to do.
     *
     * @param race its name
     * @param course its name
     * @param block which
     * @param parameters what the scene said
     */
    record Task(String race, String course, Block block, Map<String, String> parameters) {}

    private BlockProtocol() {}

    static String text(Object value) {
        return JSON.writeValueAsString(value);
    }

    static <T> T read(String text, Class<T> type) {
        return JSON.readValue(text, type);
    }
}
