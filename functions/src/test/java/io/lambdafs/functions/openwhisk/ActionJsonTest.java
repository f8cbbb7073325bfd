package io.lambdafs.functions.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.functions.serving.SlowOperation;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.OperationKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class ActionJsonTest {
    @Test
    void shouldTellOfSlowOperationsWhateverTheirPaths() throws Exception {
        SlowOperation stat = new SlowOperation(OperationKind.STAT, FsPath.of("/a\"b"), 1_234_567, 99);
        SlowOperation create = new SlowOperation(OperationKind.CREATE, FsPath.of("/c"), 2_000, 98);

        JsonNode told = new ObjectMapper()
                .readTree(ActionJson.slowest(List.of(stat, create)).body());

        assertThat(told).hasSize(2);
        assertThat(told.get(0).path("operation").textValue()).isEqualTo("stat");
        assertThat(told.get(0).path("micros").longValue()).isEqualTo(1_234);
        assertThat(told.get(0).path("millis").longValue()).isEqualTo(99);
        assertThat(told.get(0).path("path").textValue()).isEqualTo("/a\"b");
        assertThat(told.get(1).path("path").textValue()).isEqualTo("/c");
    }
}
