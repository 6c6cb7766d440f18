package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.source.Router.Route;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever a server behind the gateway takes for the path of a flow goes to that flow, or is refused. */
class RouterTest {
    private static final String STRICT = "/api/payments";
    private static final List<Route> ROUTES = List.of(route(STRICT), route("/api"), route("/"));

    private static final Pattern ESCAPE = Pattern.compile("%([0-9A-Fa-f]{2})");
    private static final UnaryOperator<String> DECODE = path -> ESCAPE.matcher(path)
            .replaceAll(found -> java.util.regex.Matcher.quoteReplacement(
                    String.valueOf((char) Integer.parseInt(found.group(1), 16))));
    private static final UnaryOperator<String> PARAMETERS = path -> path.replaceAll(";[^/]*", "");
    private static final UnaryOperator<String> BACKSLASH = path -> path.replace('\\', '/');
    private static final UnaryOperator<String> SMALL = path -> path.toLowerCase(Locale.ROOT);
    private static final UnaryOperator<String> EXTENSION = path -> path.replaceAll("(?<=[^/.])\\.[^/]*$", "");
    private static final UnaryOperator<String> DOTS_AT_END = path -> path.replaceAll("(?<=[^/. ])[. ]+(?=/|$)", "");
    private static final UnaryOperator<String> END = path -> path.replaceAll("[\\x00?#].*", "");

    /** What programs do to a path before they look for its resource, in their order. */
    private static final List<List<UnaryOperator<String>>> SERVERS = List.of(
            List.of(DECODE), // nginx
            List.of(PARAMETERS, DECODE), // Tomcat, Jetty
            List.of(PARAMETERS, DECODE, BACKSLASH), // Tomcat that allows backslashes
            List.of(DECODE, PARAMETERS), // Spring of old, with UrlPathHelper
            List.of(DECODE, PARAMETERS, EXTENSION), // the same with suffix patterns
            List.of(PARAMETERS, DECODE, PARAMETERS, DECODE), // one behind the other
            List.of(DECODE, BACKSLASH, SMALL, DOTS_AT_END), // IIS
            List.of(DECODE, DECODE, BACKSLASH), // one that decodes twice
            List.of(DECODE, EXTENSION, SMALL), // Rails
            List.of(DECODE, END)); // one in C

    private final Router router = new Router(ROUTES);

    private static Route route(String path) {
        return Route.of(path, path, RequestGate.open(call -> HttpAnswer.of(200, "")), 1, List.of(), List.of());
    }

    /** Null when it is refused. */
    private Router.@Nullable Match match(String path) {
        try {
            Router.Match match = router.match(path);
            HttpCall.get(match.path());
            return match;
        } catch (BadInput | IllegalArgumentException refused) {
            return null;
        }
    }

    /** With several slashes as one, and dot segments resolved. */
    private static String resource(List<UnaryOperator<String>> server, String path) {
        String read = path;
        for (UnaryOperator<String> step : server) {
            read = step.apply(read);
        }
        Deque<String> segments = new ArrayDeque<>();
        for (String segment : read.split("/+", -1)) {
            if (segment.equals("..")) {
                segments.pollLast();
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                segments.addLast(segment);
            }
        }
        return "/" + String.join("/", segments);
    }

    private void checkAsAnyServer(String path) {
        Router.Match match = match(path);
        if (match == null) {
            return;
        }
        assertThat(router.match(match.path())).isEqualTo(match);
        for (List<UnaryOperator<String>> server : SERVERS) {
            for (String seen : List.of(resource(server, path), resource(server, match.path()))) {
                if (seen.equals(STRICT) || seen.startsWith(STRICT + "/")) {
                    assertThat(match.route().path()).as(path + " is " + seen).isEqualTo(STRICT);
                }
            }
            if (match.route().path().equals(STRICT)) {
                assertThat(match.path()).startsWith(STRICT);
            }
        }
    }

    @Provide
    Arbitrary<String> disguised() {
        Arbitrary<String> piece = Arbitraries.of(
                "/",
                "//",
                "/./",
                "/../",
                "api",
                "payments",
                "API",
                "Payments",
                "x",
                ";",
                ";a=1",
                ";a%2fb",
                "%",
                "%2f",
                "%2F",
                "%5c",
                "\\",
                "%3b",
                "%252f",
                "%253B",
                "%255c",
                ".",
                "..",
                "%2e",
                "%252e",
                "%00",
                "%2500",
                "%20",
                ".json",
                "a",
                "%61pi",
                "%70ayments",
                "%2570ayments",
                "%c1%b0ayments",
                "pay",
                "ments",
                "%3f",
                "%23",
                "/api/payments",
                "/api/",
                "2f",
                "25");
        return piece.list().ofMinSize(1).ofMaxSize(9).map(pieces -> "/" + String.join("", pieces));
    }

    @Provide
    Arbitrary<String> payments() {
        Arbitrary<List<String>> marks = Arbitraries.of(
                        "", "", "", "/", ";x", ";x%2fy", "%3bx", "//", "%2f", "%5C", "%252F")
                .list()
                .ofSize(4);
        Arbitrary<List<Integer>> encoded =
                Arbitraries.integers().between(0, 9).list().ofSize(STRICT.length());
        return marks.flatMap(mark -> encoded.map(how -> {
            StringBuilder path = new StringBuilder();
            for (int i = 0; i < STRICT.length(); i++) {
                char c = STRICT.charAt(i);
                if (i == 0) {
                    path.append(c);
                } else if (c == '/') {
                    path.append(mark.get(0))
                            .append(how.get(i) > 6 ? "%2F" : "/")
                            .append(mark.get(1));
                } else {
                    path.append(
                            switch (how.get(i)) {
                                case 0 -> "%%%02x".formatted((int) c);
                                case 1 -> "%%25%02X".formatted((int) c);
                                case 2 -> String.valueOf(Character.toUpperCase(c));
                                default -> String.valueOf(c);
                            });
                }
            }
            return path + mark.get(2) + mark.get(3);
        }));
    }

    @Property(tries = 4_000)
    void noDisguiseGetsAroundTheFlow(@ForAll("disguised") String path) {
        checkAsAnyServer(path);
    }

    @Property(tries = 4_000)
    void noSpellingOfThePathGetsAroundTheFlow(@ForAll("payments") String path) {
        checkAsAnyServer(path);
    }

    @Provide
    Arbitrary<String> plain() {
        Arbitrary<String> segment = Arbitraries.strings()
                .withChars("abcXYZ019-_~!$&'()*+,=:@")
                .ofMinLength(1)
                .ofMaxLength(6);
        Arbitrary<String> data = Arbitraries.of("%2F", "%20", "%E2%82%AC", "%25", ";v=1", ".pdf", "");
        return Arbitraries.of("/", "/api/", "/api/items/")
                .flatMap(start -> segment.flatMap(
                        one -> data.flatMap(two -> segment.map(three -> start + "q" + one + two + three))));
    }

    @Property
    void aPlainPathWithDataIsPassedAsItIs(@ForAll("plain") String path) {
        assertThat(router.match(path).path()).isEqualTo(path);
    }

    @Test
    void equivalentPathsAreOne() {
        for (String path : List.of(
                "/api/payments/7",
                "/api//payments/7",
                "//api/%70ayments/7",
                "/%61%70%69/payments/%37",
                "///api///payments/7")) {
            assertThat(match(path)).as(path).isEqualTo(new Router.Match(ROUTES.getFirst(), "/api/payments/7"));
        }
        assertThat(router.match("/api/payments/%c3%a4//%7e").path()).isEqualTo("/api/payments/%C3%A4//~");
    }

    @Test
    void onlyWhatMayHaveAnotherFlowIsRefused() {
        assertThat(router.match("/api/Payment").route().path()).isEqualTo("/api");
        assertThat(router.match("/api/payments/A;b/c%2Fd.json").route().path()).isEqualTo(STRICT);
        for (String path : List.of("/api/Payments", "/API/payments", "/api/payments.json", "/api;x/payments")) {
            assertThatExceptionOfType(BadInput.class)
                    .as(path)
                    .isThrownBy(() -> router.match(path))
                    .withMessageStartingWith("Some servers interpret this path as the path of another flow");
        }
    }

    @Test
    void pathsThatDifferInCaseAloneAreBesideEachOther() {
        Router both = new Router(List.of(route("/Pay"), route("/pay")));
        assertThat(both.match("/Pay/1").route().path()).isEqualTo("/Pay");
        assertThat(both.match("/pay/1").route().path()).isEqualTo("/pay");
    }
}
