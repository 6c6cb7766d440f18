package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Source;
import dev.penstock.gateway.transport.SourceBinding;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.gateway.transport.Transport;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of docs/transport.md names the methods that a transport has, and no others. */
class TransportPageTest {
    private static final Map<String, Class<?>> TYPES = Stream.of(
                    Transport.class, Transport.Binder.class, SourceBinding.class, TargetBinding.class, Source.class)
            .collect(Collectors.toMap(Class::getSimpleName, type -> type));

    private static final Pattern NAME = Pattern.compile("`(?:([A-Z]\\w*)\\.?)?([a-z]\\w*)?`");

    /** What the second column names, a list for each row. */
    private static List<List<Matcher>> rows() throws IOException {
        String page = Files.readString(Path.of("../docs/transport.md"));
        String table = page.substring(page.indexOf("| when | asks | for |"));
        List<List<Matcher>> rows = new ArrayList<>();
        for (String line :
                table.substring(0, table.indexOf("\n\n")).lines().skip(2).toList()) {
            List<Matcher> names = new ArrayList<>();
            Matcher name = NAME.matcher(line.split(" \\| ", -1)[1]);
            while (name.find()) {
                Matcher found = NAME.matcher(name.group());
                assertThat(found.matches()).isTrue();
                names.add(found);
            }
            rows.add(names);
        }
        return rows;
    }

    /** {@code Type.method} of all names. A method without a type belongs to those before it in its row, or to Transport. */
    private static Set<String> methods() throws IOException {
        Set<String> methods = new TreeSet<>();
        for (List<Matcher> row : rows()) {
            List<String> types = List.of("Transport");
            List<String> next = new ArrayList<>();
            for (Matcher name : row) {
                if (name.group(1) != null) {
                    next.add(name.group(1));
                }
                if (name.group(2) != null) {
                    types = next.isEmpty() ? types : next;
                    next = new ArrayList<>();
                    methods.add(String.join("/", types) + "." + name.group(2));
                }
            }
        }
        return methods;
    }

    private static Set<String> of(String type) {
        return Arrays.stream(Objects.requireNonNull(TYPES.get(type), type).getMethods())
                .map(Method::getName)
                .collect(Collectors.toSet());
    }

    @Test
    void everyMethodOfTheTableExists() throws Exception {
        assertThat(methods()).hasSizeGreaterThan(15).allSatisfy(named -> {
            String method = named.substring(named.indexOf('.') + 1);
            assertThat(Arrays.stream(named.substring(0, named.indexOf('.')).split("/")))
                    .as(named)
                    .anyMatch(type -> of(type).contains(method));
        });
    }

    @Test
    void everyMethodOfATransportIsInTheTable() throws Exception {
        Set<String> named = methods();
        assertThat(of("Transport")).allMatch(method -> named.contains("Transport." + method), "are in the table");
        assertThat(of("Binder"))
                .filteredOn(method -> !method.equals("close"))
                .isNotEmpty()
                .allMatch(method -> named.contains("Binder." + method), "are in the table");
    }
}
