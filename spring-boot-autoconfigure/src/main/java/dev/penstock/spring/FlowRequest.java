package dev.penstock.spring;

import dev.penstock.Unanswered;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.AbstractClientHttpRequest;
import org.springframework.http.client.ClientHttpResponse;

/** A request of Spring's clients, sent through a flow. Its body is in memory, because it may be sent again. */
final class FlowRequest extends AbstractClientHttpRequest {
    private final PenstockFlows.Route route;
    private final URI url;
    private final HttpMethod method;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    FlowRequest(PenstockFlows.Route route, URI url, HttpMethod method) {
        this.route = route;
        this.url = url;
        this.method = method;
    }

    @Override
    public HttpMethod getMethod() {
        return method;
    }

    @Override
    public URI getURI() {
        return url;
    }

    @Override
    protected OutputStream getBodyInternal(HttpHeaders headers) {
        return body;
    }

    @Override
    protected ClientHttpResponse executeInternal(HttpHeaders headers) throws IOException {
        List<Header> fields = new ArrayList<>();
        headers.forEach((name, values) -> values.forEach(value -> fields.add(new Header(name, value))));
        HttpCall call = HttpCall.of(method.name(), path(), Headers.of(fields), body.toByteArray());
        try {
            return new FlowResponse(route.flow().call(call));
        } catch (Unanswered ending) {
            throw NoAnswerException.of(ending);
        } catch (RuntimeException wrong) {
            throw wrong;
        } catch (Exception other) {
            throw new IOException(other);
        }
    }

    /** Below the path of the flow's target, with the query. */
    private String path() {
        String path = url.getRawPath() == null ? "" : url.getRawPath();
        String rest = path.substring(route.base().length());
        String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        return (rest.isEmpty() ? "/" : rest) + query;
    }

    /** An answer, with its body in memory. */
    private record FlowResponse(HttpAnswer answer) implements ClientHttpResponse {
        @Override
        public HttpStatusCode getStatusCode() {
            return HttpStatusCode.valueOf(answer.status());
        }

        @Override
        public String getStatusText() {
            HttpStatus known = HttpStatus.resolve(answer.status());
            return known == null ? "" : known.getReasonPhrase();
        }

        @Override
        public HttpHeaders getHeaders() {
            HttpHeaders headers = new HttpHeaders();
            answer.headers().forEach(field -> headers.add(field.name(), field.value()));
            return headers;
        }

        @Override
        public InputStream getBody() {
            return new ByteArrayInputStream(answer.body());
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
