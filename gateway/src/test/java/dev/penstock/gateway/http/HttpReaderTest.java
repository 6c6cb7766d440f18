package dev.penstock.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.GatewayPlan;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.file.Written;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages about {@code from} and {@code to}. */
class HttpReaderTest {
    private static final String FROM = "{ http: { port: 8080, path: /a } }";
    private static final String TO = "{ http: { url: \"http://127.0.0.1:9000/\" } }";

    @TempDir
    Path folder;

    private List<String> errors(String from, String to) {
        return new Written(folder, Map.of("TOKEN", "s3cr3t", "BAD", "http://u:s3cr3t@h/"))
                .errors("flows:\n  a:\n    from: " + from + "\n    to: " + to + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "ftp://x/y               | has the scheme 'ftp', which is not supported; use http or https",
                "jdbc:postgresql://h/db  | has the scheme 'jdbc', which is not HTTP; write to: { jdbc: { url: ... } }",
                "gateway.example/v1      | has no scheme; begin it with http:// or https://",
                "localhost:9000/v1       | has no scheme; begin it with http:// or https://",
                "http:///v1              | has no valid host name; write for instance https://gateway.example/v1",
                "http://a_b/v1           | has no valid host name; write for instance https://gateway.example/v1",
                "http://h:70000/         | has the port 70000; write a port from 1 to 65535, or none",
                "http://h/a b            | is not a URL: it contains a space; write for instance https://gateway.example/v1",
                "http://h/#top           | has a fragment (#...), which is never sent; remove it",
                "http://h/a/../b         | has a . or .. segment in its path; write the resolved path",
                "http://[::1/            | is not a URL; write for instance https://gateway.example/v1",
            })
    void rejectsUnusableUrl(String url, String text) {
        assertThat(errors(FROM, "{ http: { url: \"" + url + "\" } }"))
                .containsExactly("f.yaml:4:24: 'to.http.url' " + text);
    }

    @Test
    void rejectsUrlWithPasswordWithoutShowingIt() {
        String text =
                "f.yaml:4:24: 'to.http.url' contains a user name or password; remove it and set a header: headers: { Authorization: \"${file:PATH}\" }";
        assertThat(errors(FROM, "{ http: { url: \"http://u:s3cr3t@h/\" } }")).containsExactly(text);
        assertThat(errors(FROM, "{ http: { url: \"${BAD}\" } }")).containsExactly(text);
    }

    /** The reader accepts what the source accepts, and the plan shows that range. */
    @Test
    void idleTimeHasTheRangeOfTheSource() throws Exception {
        String file = "flows:\n  a:\n    from: { http: { port: 8080, path: /a, idle_time: %s } }\n    to: " + TO + "\n";
        Written written = new Written(folder);
        String plan =
                GatewayPlan.of(written.read(file.formatted("1h")).config()).text();
        assertThat(plan).containsPattern("\n  source[.]idle_time +60 min +10ms[.][.]1h +file ");
        written.read(file.formatted("10ms"));
        for (String beyond : List.of("9ms", "61m")) {
            assertThat(written.errors(file.formatted(beyond)))
                    .singleElement()
                    .asString()
                    .startsWith("f.yaml:3:")
                    .endsWith(": 'from.http.idle_time' is \"" + beyond
                            + "\", which is out of range; write a duration from 10ms to 1h");
        }
    }

    @Test
    void urlMayBeAListOfServers() throws Exception {
        HttpTo to = (HttpTo) new Written(folder)
                .read("flows:\n  a:\n    from: " + FROM
                        + "\n    to: { http: { url: [ \"http://a:1/v1?t=x\", \"http://b:1/v1\" ] } }\n")
                .config()
                .flows()
                .getFirst()
                .to();
        assertThat(to.endpoints()).isEqualTo(2);
        assertThat(to).hasToString("http://a:1/v1, http://b:1/v1");
    }

    private HttpTo read(String to) throws Exception {
        return (HttpTo) new Written(folder)
                .read("flows:\n  a:\n    from: " + FROM + "\n    to: " + to + "\n")
                .config()
                .flows()
                .getFirst()
                .to();
    }

    @Test
    void aUrlOrAListOfServersIsShortForUrl() throws Exception {
        assertThat(read("{ http: \"http://a:1/v1\" }"))
                .isEqualTo(withoutPlace(read("{ http: { url: \"http://a:1/v1\" } }")));
        HttpTo two = read("{ http: [ \"http://a:1/v1?t=x\", \"http://b:1/v1\" ] }");
        assertThat(two.endpoints()).isEqualTo(2);
        assertThat(two).hasToString("http://a:1/v1, http://b:1/v1");
        assertThat(two.headers()).isEmpty();
    }

    /** The same at the place of the short form. */
    private static HttpTo withoutPlace(HttpTo to) {
        Configured<URI> url = Configured.fromFile(to.url().value(), new FileLocation(4, 17));
        return new HttpTo(url, to.others(), to.headers(), to.version(), to.proxy(), to.tls(), to.pool());
    }

    @Test
    void rejectsUnusableShortForms() {
        assertThat(errors(FROM, "{ http: [] }"))
                .containsExactly("f.yaml:4:17: 'to.http' is a list of 0; write 1 to 64");
        assertThat(errors(FROM, "{ http: \"h/v1\" }"))
                .containsExactly("f.yaml:4:17: 'to.http' has no scheme; begin it with http:// or https://");
        assertThat(errors(FROM, "{ http: [ \"http://a/\", \"http://a/\" ] }"))
                .containsExactly("f.yaml:4:17: 'to.http' has one URL twice; remove it");
        assertThat(errors(FROM, "{ http: }"))
                .containsExactly(
                        "f.yaml:4:16: 'to.http' must be a URL, a list of URLs or a mapping, but this is empty; write for instance http: { url: \"https://gateway.example/v1\" }");
        assertThat(errors(FROM, "{ http: \"${BAD}\" }"))
                .noneMatch(line -> line.contains("s3cr3t"))
                .hasSize(1);
        assertThat(errors(FROM, "{ http: [ { url: \"http://a/\" } ] }"))
                .singleElement()
                .asString()
                .startsWith("f.yaml:4:19: 'to.http' must be ")
                .contains("but this is a mapping");
    }

    @Test
    void rejectsUnusableLists() {
        assertThat(errors(FROM, "{ http: { url: [] } }"))
                .containsExactly("f.yaml:4:24: 'to.http.url' is a list of 0; write 1 to 64");
        assertThat(errors(FROM, "{ http: { url: [ \"http://a/\", \"b:1/v1\" ] } }"))
                .containsExactly("f.yaml:4:39: 'to.http.url' has no scheme; begin it with http:// or https://");
        assertThat(errors(FROM, "{ http: { url: [ \"http://a/\", \"http://a/\" ] } }"))
                .containsExactly("f.yaml:4:24: 'to.http.url' has one URL twice; remove it");
        String two = "{ http: { url: [ \"http://a/\", \"http://b/\" ] } }";
        assertThat(errors(FROM, two + "\n    collapse: { url: \"http://a/batch\" }"))
                .containsExactly(
                        "f.yaml:4:24: 'to.http.url' of flow 'a' is a list, which is combined with collapse; write one URL, or remove collapse");
        String name = "a".repeat(62);
        assertThat(new Written(folder).errors("flows:\n  " + name + ":\n    from: " + FROM + "\n    to: " + two + "\n"))
                .containsExactly("f.yaml:4:24: the name of flow '" + name
                        + "' is too long for several servers; write at most 61 characters");
    }

    @Test
    void reportsMissingKeys() {
        assertThat(errors("{ }", TO))
                .containsExactly(
                        "f.yaml:3:5: from has no 'http'; add for instance http: { port: 8080, path: /v1/payments }");
        assertThat(errors("{ http: { } }", "{ http: { } }"))
                .containsExactly(
                        "f.yaml:3:13: from.http has no 'port'; add for instance port: 8080",
                        "f.yaml:3:13: from.http has no 'path'; add for instance path: /v1/payments",
                        "f.yaml:4:11: to.http has no 'url'; add for instance url: \"https://gateway.example/v1\"");
        assertThat(new Written(folder).errors("flows: { a: { } }"))
                .containsExactly(
                        "f.yaml:1:10: flow 'a' has no 'to'; add for instance to: { http: { url: \"https://gateway.example/v1\" } }",
                        "f.yaml:1:10: flow 'a' has no 'from'; add for instance from: { http: { port: 8080, path: /v1/payments } }");
    }

    @Test
    void rejectsTransportOfALaterVersion() {
        assertThat(errors("{ jdbc: { queue: q } }", "{ http: { url: \"https://gateway.example/v1\" } }"))
                .containsExactly(
                        "f.yaml:3:5: from has no 'http'; add for instance http: { port: 8080, path: /v1/payments }",
                        "f.yaml:3:13: this version of Penstock does not support 'jdbc'; remove it");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "port: 65536              | 27 | 'from.http.port' is 65536, which is out of range; write a number from 0 to 65535",
                "port: -1                 | 27 | 'from.http.port' is -1, which is out of range; write a number from 0 to 65535",
                "port: 1, host: \"a b\"   | 36 | 'from.http.host' is \"a b\", which is not an address; write for instance 127.0.0.1, 0.0.0.0, \"::1\" or a host name",
                "port: 1, host: 256.1.1.1     | 36 | 'from.http.host' is \"256.1.1.1\", which is not an address; write for instance 127.0.0.1, 0.0.0.0, \"::1\" or a host name",
                "port: 1, max_body: 64 kb | 40 | 'from.http.max_body' is \"64 kb\", which is not a size; write a number and a unit, for instance 512B, 64KB or 1MB",
                "port: 1, max_body: 64    | 40 | 'from.http.max_body' is 64, which is not a size; write a number and a unit, for instance 512B, 64KB or 1MB",
                "port: 1, max_body: 5GB   | 40 | 'from.http.max_body' is \"5GB\", which is out of range; write a size from 1B to 1GB",
                "port: 1, maxbody: 5GB    | 30 | unknown key 'maxbody' in from.http; did you mean 'max_body'?",
            })
    void rejectsInvalidValueOfASource(String given, int column, String text) {
        assertThat(errors("{ http: { " + given + ", path: /a } }", TO))
                .containsExactly("f.yaml:3:" + column + ": " + text);
    }

    @Test
    void rejectsInvalidPath() {
        assertThat(errors("{ http: { port: 1, path: payments } }", TO))
                .containsExactly(
                        "f.yaml:3:36: 'from.http.path' is \"payments\", which is not a path; write a path that begins with /, for instance /v1/payments");
    }

    @Test
    void rejectsInvalidHeadersWithoutShowingTheirValues() {
        String headers = "{ A: \"${TOKEN}\\n\", \"b c\": x, Host: y, a: z, D: [1], E: \"${NOPE}\" }";
        assertThat(errors(FROM, "{ http: { url: \"http://h/\", headers: " + headers + " } }"))
                .containsExactly(
                        "f.yaml:4:51: 'to.http.headers.A' contains a character that is not allowed in a header; write one line of plain text",
                        "f.yaml:4:65: 'b c' is not a valid header name; write for instance Authorization",
                        "f.yaml:4:75: header 'Host' is set by Penstock itself; remove it",
                        "f.yaml:4:93: 'to.http.headers.D' must be text, but this is a list; write one value after the colon",
                        "f.yaml:4:101: variable NOPE is not set; set it, or give a default: ${NOPE:...}")
                .noneMatch(line -> line.contains("s3cr3t"));
        assertThat(errors(FROM, "{ http: { url: \"http://h/\", headers: { a: x, A: y } } }"))
                .containsExactly("f.yaml:4:54: header 'A' appears twice, ignoring case; keep one of them");
    }
}
