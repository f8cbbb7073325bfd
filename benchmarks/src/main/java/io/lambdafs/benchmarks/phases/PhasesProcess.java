package io.lambdafs.benchmarks.phases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.benchmarks.micro.Dialogue;
import io.lambdafs.benchmarks.peers.Target;
import io.lambdafs.hammer.phases.Phase;
import io.lambdafs.hammer.phases.PhasesSettings;
import java.nio.file.Path;

/** Controls the measuring process of one file system through one interface. Confined to one thread. */
final class PhasesProcess implements AutoCloseable {
    /** The file system's own client. */
    static final String NATIVE = "native";

    static final String HADOOP = "hadoop";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int HEAP_MB = 768;

    private final String api;
    private final Dialogue dialogue;

    /**
     * Starts the process.
     *
     * @param api {@link #NATIVE}, if the target has its own client, or {@link #HADOOP}
     * @param log file for its standard error
     */
    PhasesProcess(Target target, String api, Path log) {
        this.api = api;
        dialogue = new Dialogue(target, PhasesMain.class, HEAP_MB, log);
        ObjectNode first = JSON.createObjectNode();
        if (api.equals(NATIVE) && target.hasNative()) {
            first.put("client", String.valueOf(target.client()));
        } else {
            first.put("uri", target.uri().toString());
            target.configuration().forEach(first.putObject("conf")::put);
        }
        dialogue.ask(first);
    }

    /** Waits until the process has opened the file system. */
    void await() throws InterruptedException {
        JsonNode unused = dialogue.await("ready");
    }

    Target target() {
        return dialogue.target();
    }

    String api() {
        return api;
    }

    /** Runs an experiment. Nothing else should run meanwhile. */
    JsonNode run(PhasesSettings settings) throws InterruptedException {
        ObjectNode request = JSON.createObjectNode()
                .put("clients", settings.clients())
                .put("files", settings.files())
                .put("bytes", settings.bytes())
                .put("shared", settings.shared())
                .put("root", settings.root().toString())
                .put("remove", !target().passing());
        settings.phases().stream().map(Phase::label).forEach(request.putArray("phases")::add);
        dialogue.ask(request);
        return dialogue.await("result");
    }

    /** Ends the process. */
    @Override
    public void close() {
        dialogue.close();
    }
}
