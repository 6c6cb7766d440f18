package dev.penstock.http.header;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The header fields of a request or an answer, in their order. Comparison of names ignores case; a name may occur several
 * times. Immutable: every change returns a copy.
 *
 * <p>Fields that were received are filtered once, by {@link #endToEnd}: the copies made of them remember that.
 */
public final class Headers implements Iterable<Header> {
    private static final List<String> HOP_BY_HOP =
            List.of("Connection", "Keep-Alive", "TE", "Trailer", "Transfer-Encoding", "Upgrade");

    private static final String PROXY = "Proxy-";

    private static final Headers NONE = new Headers(List.of(), true);

    private final List<Header> fields;
    /** Whether no field is hop-by-hop, as far as known. */
    private final boolean endToEnd;

    private Headers(List<Header> fields, boolean endToEnd) {
        this.fields = fields;
        this.endToEnd = endToEnd;
    }

    /** No header fields. */
    public static Headers none() {
        return NONE;
    }

    /** These header fields, in their order. */
    public static Headers of(List<Header> fields) {
        return fields.isEmpty() ? NONE : new Headers(List.copyOf(fields), false);
    }

    /** The value of the first field of a name, or null when there is none. */
    public @Nullable String first(String name) {
        // Index loops, here and below: an iterator per lookup per request is measurable.
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).is(name)) {
                return fields.get(i).value();
            }
        }
        return null;
    }

    /** The values of all fields of a name, in their order; empty when there is none. */
    public List<String> all(String name) {
        List<String> values = new ArrayList<>(1);
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).is(name)) {
                values.add(fields.get(i).value());
            }
        }
        return values;
    }

    /** Whether there is a field of that name. */
    public boolean has(String name) {
        return first(name) != null;
    }

    /**
     * These fields, with every field of the name replaced by one.
     *
     * @throws IllegalArgumentException as {@link Header} does
     */
    public Headers with(String name, String value) {
        return with(new Header(name, value));
    }

    /** These fields, with every field of its name replaced by this one. */
    public Headers with(Header field) {
        return without(field.name()).and(field);
    }

    /**
     * These fields and one more, after those of the same name.
     *
     * @throws IllegalArgumentException as {@link Header} does
     */
    public Headers and(String name, String value) {
        return and(new Header(name, value));
    }

    /** These fields and one more. */
    public Headers and(Header field) {
        Header[] more = fields.toArray(new Header[fields.size() + 1]);
        more[fields.size()] = field;
        return new Headers(List.of(more), endToEnd && !isHopByHop(field));
    }

    /** The credentials of a scheme (RFC 9110 section 11.4); empty unless there is one field {@code Authorization}, and with that scheme. */
    public String credentials(String scheme) {
        List<String> given = all("Authorization");
        String only = given.size() == 1 ? given.getFirst() : "";
        return only.regionMatches(true, 0, scheme + " ", 0, scheme.length() + 1)
                ? only.substring(scheme.length()).strip()
                : "";
    }

    /** These fields without those of the name. */
    public Headers without(String name) {
        return has(name) ? withoutAll(field -> field.is(name), NONE, endToEnd) : this;
    }

    /**
     * These fields without hop-by-hop fields: {@code Connection}, the fields that it names, and those that old senders do not
     * list there (RFC 9110 section 7.6.1).
     */
    public Headers endToEnd() {
        return endToEnd ? this : endToEnd(field -> false, NONE);
    }

    /** These fields without hop-by-hop fields and without unwanted fields, and then further ones, in one pass. */
    public Headers endToEnd(Predicate<Header> unwanted, Headers more) {
        if (endToEnd) {
            return withoutAll(unwanted, more, more.endToEnd);
        }
        Set<String> named = namedByConnection();
        return withoutAll(
                field -> isHopByHop(field) || named.contains(field.name()) || unwanted.test(field),
                more,
                more.endToEnd);
    }

    /** The fields, present or not, that {@link #endToEnd} removes only because {@code Connection} names them, without values. */
    public List<Header> removedByConnection() {
        Set<String> named = namedByConnection();
        return named.isEmpty()
                ? List.of()
                : named.stream()
                        .filter(Header::isToken)
                        .map(name -> new Header(name, ""))
                        .filter(field -> !isHopByHop(field))
                        .toList();
    }

    /** Ignores case. */
    private Set<String> namedByConnection() {
        if (!has("Connection")) {
            return Set.of();
        }
        Set<String> named = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (String names : all("Connection")) {
            for (String name : names.split(",", -1)) {
                named.add(name.strip());
            }
        }
        return named;
    }

    private static boolean isHopByHop(Header field) {
        // Called for every field of every request and answer; hardly any begins with one of these letters.
        char initial = field.name().charAt(0);
        if ("CKTUPcktup".indexOf(initial) < 0) {
            return false;
        }
        for (String name : HOP_BY_HOP) {
            if (field.is(name)) {
                return true;
            }
        }
        return field.name().regionMatches(true, 0, PROXY, 0, PROXY.length());
    }

    private Headers withoutAll(Predicate<Header> unwanted, Headers more, boolean areEndToEnd) {
        List<Header> left = new ArrayList<>(fields.size() + more.size());
        for (int i = 0; i < fields.size(); i++) {
            if (!unwanted.test(fields.get(i))) {
                left.add(fields.get(i));
            }
        }
        if (more == NONE && areEndToEnd == endToEnd && left.size() == fields.size()) {
            return this;
        }
        left.addAll(more.fields);
        return new Headers(Collections.unmodifiableList(left), areEndToEnd);
    }

    /** How many fields there are. */
    public int size() {
        return fields.size();
    }

    @Override
    public Iterator<Header> iterator() {
        return fields.iterator();
    }

    /** The names only: values may be secrets. */
    @Override
    public String toString() {
        return fields.stream().map(Header::name).toList().toString();
    }
}
