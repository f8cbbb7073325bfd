package io.lambdafs.cluster.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.store.sql.DatabaseExam;
import io.lambdafs.store.sql.SqlSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Doctor's checks of the metadata's PostgreSQL, reached in the store server's way. Stateless. */
final class DatabaseChecks {
    private static final String CHECK = "database";

    private DatabaseChecks() {}

    static List<Finding> look(LocalCluster cluster, boolean mayLose) {
        Path file = cluster.directory().configuration(Service.STORE.label());
        JsonNode store;
        try {
            store = Json.MAPPER.readTree(Files.readString(file));
        } catch (IOException e) {
            return List.of(Finding.unknown(CHECK, "the store was never started: there is no " + file));
        }
        if (!store.hasNonNull("jdbcUrl") || store.path("jdbcUrl").asText().isEmpty()) {
            return List.of(Finding.unknown(CHECK, "the store was never started"));
        }
        SqlSettings settings = new SqlSettings(
                store.path("jdbcUrl").asText(),
                store.path("user").asText(),
                Optional.ofNullable(store.get("passwordFile")).map(each -> Path.of(each.asText())),
                store.path("cluster").asText(),
                1);
        List<DatabaseExam.Fault> faults = DatabaseExam.of(settings, mayLose);
        if (faults.isEmpty()) {
            return List.of(Finding.ok(CHECK, settings.url() + " answers, and is set as it should be"));
        }
        List<Finding> findings = new ArrayList<>();
        faults.forEach(each -> findings.add(Finding.fault(CHECK, each.what(), each.why(), each.change())));
        return findings;
    }
}
