package dev.penstock.cli;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.penstock.gateway.file.FlowSchema;
import java.util.List;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an editor says about a flow file: {@code penstock schema} in an independent validator. */
final class EditorSchema {
    static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Schema SCHEMA = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(FlowSchema.load().json());

    private EditorSchema() {}

    static List<String> problems(JsonNode file) {
        return SCHEMA.validate(file).stream().map(String::valueOf).toList();
    }

    static List<String> problems(String yaml) {
        Object read = new Load(LoadSettings.builder().build()).loadFromString(yaml);
        return problems(JSON.valueToTree(read));
    }
}
