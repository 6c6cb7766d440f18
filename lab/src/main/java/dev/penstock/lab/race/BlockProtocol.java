package dev.penstock.lab.race;

import java.util.Map;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The line protocol between the runner and a contestant's JVM: a keyword, followed by JSON or text.
 *
 * <pre>
 *   runner --> contestant   task {...}   go
 *   contestant --> runner   ready   progress TEXT   result {...}   failed TEXT
 * </pre>
 *
 * <p>The contestant's lines start with {@link #MARK}, because libraries also print to standard output.
 */
final class BlockProtocol {
    /** Marks each protocol line from the contestant's JVM. */
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
     * The task of a contestant's JVM.
     *
     * @param race the race's name
     * @param course the course's name
     * @param block the block
     * @param parameters the scene's parameters
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
