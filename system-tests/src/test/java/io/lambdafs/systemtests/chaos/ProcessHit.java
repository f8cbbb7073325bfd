package io.lambdafs.systemtests.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** SIGKILL to a process, or SIGSTOP and then SIGCONT. */
final class ProcessHit implements Hit {
    private static final int LIMIT_SECONDS = 10;

    private final Fault fault;
    private final ProcessHandle process;

    ProcessHit(Fault fault, ProcessHandle process) {
        this.fault = fault;
        this.process = process;
    }

    @Override
    public void begin() throws IOException, InterruptedException {
        if (fault.kills()) {
            process.destroyForcibly();
        } else {
            signal("STOP");
            Awaitility.await("it stands still")
                    .atMost(LIMIT_SECONDS, TimeUnit.SECONDS)
                    .until(this::stands);
        }
    }

    /** Asked of Linux; elsewhere the signal is taken for done. */
    private boolean stands() throws IOException {
        Path state = Path.of("/proc/" + process.pid() + "/stat");
        if (!Files.exists(Path.of("/proc/self/stat"))) {
            return true;
        }
        String line = Files.readString(state);
        return line.charAt(line.lastIndexOf(')') + 2) == 'T';
    }

    @Override
    public boolean end() throws Exception {
        if (fault.kills()) {
            process.onExit().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } else {
            signal("CONT");
        }
        return true;
    }

    @Override
    public void cleanUp() throws IOException, InterruptedException {
        if (!fault.kills()) {
            signal("CONT");
        }
    }

    @Override
    public boolean isForGood() {
        return fault.kills();
    }

    @Override
    public boolean leavesServiceToStart() {
        return fault.kills() && !fault.isInstance();
    }

    private void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    @Override
    public String toString() {
        return fault + " " + process.pid();
    }
}
