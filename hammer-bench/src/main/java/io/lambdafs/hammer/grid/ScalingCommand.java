package io.lambdafs.hammer.grid;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.options.Options;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.emulation.EmulateOption;
import io.lambdafs.hammer.emulation.Emulation;
import io.lambdafs.hammer.fleet.FleetSize;
import io.lambdafs.hammer.fleet.Persona;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lambdafs bench scaling}: the paper's figures 11, 12 and 13. */
@Command(
        name = "scaling",
        description = {
            "Measure throughput by the number of clients, and with --vcpu of processors, of λFS and of fixed "
                    + "fleets of the same size.",
            "Reproduces the paper's figures 11 to 13. Starts a cluster for each."
        })
public final class ScalingCommand extends GridCommand {
    @Option(
            names = "--personas",
            paramLabel = "NAME,NAME",
            split = ",",
            description = "Systems to measure: lambdafs, hopsfs, hopsfs-cache, infinicache (default ${DEFAULT-VALUE}).")
    private List<String> personas = List.of("lambdafs", "hopsfs", "hopsfs-cache", "infinicache");

    @Option(
            names = "--vcpu",
            paramLabel = "N,N",
            split = ",",
            description = "Total processors of all instances, one cluster for each value (default: from the settings).")
    private List<Double> vcpus = List.of();

    public ScalingCommand(Console console) {
        super(console);
    }

    @Override
    List<Setup> setups(ClusterSettings usual) {
        FleetSize all = FleetSize.ofAll(usual, usual.pool().maxInstances());
        List<Setup> setups = new ArrayList<>();
        for (double vcpu : vcpus.isEmpty() ? List.of(all.vcpu()) : vcpus) {
            Options.check(vcpu > 0 && vcpu <= 1_024, "--vcpu is 0..1024, not " + vcpu);
            for (String name : personas) {
                Persona persona = Persona.of(name).orElse(null);
                Options.check(persona != null, "--personas: there is no \"" + name + "\"");
                Options.check(
                        persona != Persona.HOPSFS_CACHE_AT_COST,
                        "--personas: the size of " + name + " follows from what a load has cost: see bench fleet");
                if (persona != null) {
                    setups.add(setup(persona, all.withVcpu(vcpu), usual));
                }
            }
        }
        return setups;
    }

    @Override
    Emulation emulation(EmulateOption option) {
        return option.orPaper();
    }

    private static Setup setup(Persona persona, FleetSize size, ClusterSettings usual) {
        ObjectNode settings = persona.settings(size);
        if (persona.scales()) {
            int instances = usual.deployments() * persona.instances(usual.pool().maxInstances());
            settings.withObject("instance").put("cpuShare", size.vcpu() / instances);
        }
        return new Setup(
                String.format(Locale.ROOT, "%s %.2f vCPU", persona.label(), size.vcpu()),
                persona.what(),
                settings,
                persona::client,
                size.vcpu(),
                !persona.isServerless());
    }

    @Override
    GridOp[] usualOps() {
        return GridOp.values();
    }

    @Override
    List<Integer> usualClients() {
        return List.of(1, 8, 64);
    }

    @Override
    GridReport empty() {
        return new GridReport(
                "scaling",
                "throughput by clients and processors",
                "at 512 vCPUs λFS does 28.91, 8.22 and 20.53 times HopsFS's read, stat and ls, and 1.49 times its create; mkdir is equal (§5.3.1)");
    }
}
