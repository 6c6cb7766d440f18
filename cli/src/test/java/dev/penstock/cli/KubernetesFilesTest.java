package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The files of ops/kubernetes fit the schemas of Kubernetes, and their flow file and command line those of Penstock.
 *
 * <p>{@code kubernetes.json} has the definitions of their kinds and of all that these refer to, without descriptions, as the Python
 * package {@code kubernetes-validate} 1.37.0 (Apache-2.0) has them for strict checks, made from the OpenAPI file of Kubernetes (Apache-2.0).
 */
class KubernetesFilesTest {
    private static final Path FILE = Path.of("..", "ops", "kubernetes", "penstock.yaml");

    @TempDir
    Path folder;

    private static List<JsonNode> documents(String yaml) {
        List<JsonNode> all = new ArrayList<>();
        new Load(LoadSettings.builder().build())
                .loadAllFromString(yaml)
                .forEach(document -> all.add(EditorSchema.JSON.valueToTree(document)));
        return all;
    }

    private static JsonNode document(String kind) throws IOException {
        return documents(Files.readString(FILE)).stream()
                .filter(document -> document.path("kind").asString().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> problems(String yaml) throws IOException {
        List<String> problems = new ArrayList<>();
        try (var in = Objects.requireNonNull(KubernetesFilesTest.class.getResourceAsStream("kubernetes.json"))) {
            JsonNode kubernetes = EditorSchema.JSON.readTree(in);
            for (JsonNode document : documents(yaml)) {
                String kind = document.path("apiVersion").asString() + " "
                        + document.path("kind").asString();
                ObjectNode schema = EditorSchema.JSON.createObjectNode();
                schema.put("$ref", kubernetes.required("kinds").required(kind).asString());
                schema.set("$defs", kubernetes.required("$defs"));
                SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                        .getSchema(schema)
                        .validate(document)
                        .forEach(problem -> problems.add(kind + ": " + problem));
            }
        }
        return problems;
    }

    @Test
    void fitTheSchemas() throws Exception {
        String yaml = Files.readString(FILE);
        assertThat(documents(yaml)).hasSize(5);
        assertThat(problems(yaml)).isEmpty();
    }

    @Test
    void whatDoesNotFitIsFound() throws Exception {
        String yaml = Files.readString(FILE);
        assertThat(problems(yaml.replace("readinessProbe:", "readynessProbe:")))
                .singleElement()
                .asString()
                .startsWith("apps/v1 Deployment: ")
                .contains("readynessProbe");
        assertThat(problems(yaml.replace("minReplicas: 3", "minReplicas: three")))
                .singleElement()
                .asString()
                .startsWith("autoscaling/v2 HorizontalPodAutoscaler: ")
                .contains("minReplicas");
        assertThat(problems(yaml.replace("mountPath: /tmp", "readOnly: true"))).isNotEmpty();
    }

    @Test
    void theFlowFilePassesCheck() throws Exception {
        String flows = document("ConfigMap").path("data").path("flows.yaml").asString();
        DocExample example = new DocExample("ops/kubernetes/flows.yaml", 0, "yaml", flows, "");
        assertThat(FlowFileExamples.isFlowFile(example)).isTrue();
        assertThat(FlowFileExamples.problems(example, folder)).isEmpty();
    }

    private static JsonNode pod() throws IOException {
        return document("Deployment").path("spec").path("template").path("spec");
    }

    @Test
    void javaIsStartedAsByTheLauncher() throws Exception {
        List<String> arguments = pod().path("containers")
                .path(0)
                .path("args")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
        int main = arguments.indexOf(Penstock.class.getName());
        assertThat(arguments.subList(0, main)).containsAll(Serving.launcherOptions());
        Penstock.parser(new Penstock())
                .parseArgs(arguments.subList(main + 1, arguments.size()).toArray(String[]::new));
    }

    /** A pod may take this long to end; more than 10 s remain for closing. */
    @Test
    void aDrainHasItsTime() throws Exception {
        JsonNode container = pod().path("containers").path(0);
        int preStop = container
                .path("lifecycle")
                .path("preStop")
                .path("sleep")
                .path("seconds")
                .asInt();
        assertThat(document("ConfigMap").toString()).contains("shutdown: { drain: 30s }");
        assertThat(pod().path("terminationGracePeriodSeconds").asInt()).isGreaterThan(preStop + 30 + 10);
    }
}
