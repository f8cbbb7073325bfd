package io.lambdafs.spec;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The protocol without a rule, or without two of which either keeps the invariant alone, and what breaks then.
 *
 * @param rules as the modules name them
 * @param configuration in which TLC finds the counterexample
 * @param invariant that is violated
 */
record Variant(List<String> rules, String configuration, String invariant) {
    static List<Variant> all() {
        return Stream.of(CACHING, JOINING, FENCING, SUBTREE, ONCE, OLDER, GENERATIONS)
                .flatMap(String::lines)
                .map(Variant::parse)
                .toList();
    }

    private static final String CACHING = """
            ticket                Coherence-caching  I2
            ticketBeforeRead      Coherence-caching  I2
            fillLock              Coherence-caching  I2
            listingLock           Coherence-caching  I2
            invSelf               Coherence-caching  I2
            publishUnderTicket    Coherence-caching  I2
            nameUnknown           Coherence-keeping  I2
            nameOutOfFill         Coherence-keeping  I2
            nameLock              Coherence-keeping  I2
            locksBeforeInv        Coherence-caching  I2
            awaitAcks             Coherence-caching  I2
            invalidateBeforeAck   Coherence-caching  I2
            ownersOnly            Coherence-caching  I2
            evictionDropsListing  Coherence-caching  I1
            singleVersionLookups  Coherence-walks    I1
            """;

    private static final String JOINING = """
            handshake          Coherence-joining  I2
            listAfterRegister  Coherence-joining  I2
            ticketOfJoin       Coherence-joining  I2
            writesAfterJoin    Coherence-joining  I2
            greetingAwaitsAlone  Coherence-joining  I2
            heldWhileAlone       Coherence-joining  I2
            aloneWithoutHolders  Coherence-joining  I2
            joinEndsWithRenewal  Coherence-fencing  I2
            """;

    private static final String FENCING = """
            leaseCheck            Coherence-fencing  I1
            fenceOutlastsLease    Coherence-fencing  I1
            refuseRenewals        Coherence-leases   I1
            leaseFromSend         Coherence-leases   I1
            sessionOutlastsLease  Coherence-fencing  I1
            epochRowInCommit      Coherence-fencing  I3
            epochRowInCommit      Coherence-fencing  I2
            ticketOfEpoch         Coherence-leaving  I2
            clearedAtEnd          Coherence-leaving  I2
            epochKilledBeforeForgotten+targetsUnderLease  Coherence-fencing  I2
            fenceWhoMisses        Coherence-ending        I7
            fenceAborts           Coherence-ending-large  I7
            """;

    private static final String SUBTREE = """
            serialised           Subtree-crossing    I5
            drain                Subtree-observed    I1
            drain                Subtree-protecting  I6
            prefixToAll          Subtree-protecting  I2
            countedBeforeLookup  Subtree-protecting  I6
            countedByBothPaths   Subtree-arriving    I6
            countedWhileUnknown  Subtree-deep        I6
            stopsAtMark          Subtree-moving      I2
            ticket               Subtree-moving      I2
            targetsAfterMark     Subtree-joining     I2
            epochInCommit        Subtree-fencing     I6
            onlyDeadMarksCleared+verifyMark  Subtree-deep    I6
            verifyUnderLocks+drain           Subtree-moving  I6
            resolvesAgain        Subtree-waiting     I6
            deadMarkCleared      Subtree-ending      I7
            unknownMarkCleared   Subtree-ending      I7
            leavesInFlight       Subtree-ending      I7
            waitsOutside         Subtree-ending      I7
            noLockWhileDraining  Subtree-ending      I7
            """;

    private static final String ONCE = """
            slotInTransaction      ExactlyOnce-making    I4
            recordFailure          ExactlyOnce-making    I4
            recordUnchanged        ExactlyOnce-ensuring  I4
            lookupUnderLocks       ExactlyOnce-making    I4
            lookupOnRetry          ExactlyOnce-making    I4
            olderRefused           ExactlyOnce-sequence  I4
            deadlineInTransaction  ExactlyOnce-making    I4
            slotOutlivesDeadline   ExactlyOnce-making    I4
            """;

    private static final String OLDER = """
            storeConfirms  OlderStore-restarting  I1
            leasesOver     OlderStore-restarting  I1
            epochsEnd      OlderStore-restarting  I3
            numbersSkip    OlderStore-restarting  I3
            """;

    private static final String GENERATIONS = """
            listAfterRegister    Generations-changing  I2
            givesUpBesideLater   Generations-changing  I2
            awaitsEarlier        Generations-changing  I2
            endsBeforeItAnswers  Generations-changing  I2
            """;

    private static Variant parse(String line) {
        String[] words = line.strip().split("\\s+");
        return new Variant(List.of(words[0].split("\\+")), words[1], words[2]);
    }

    boolean isLiveness() {
        return invariant.equals("I7");
    }

    /** Returns whether its configuration is one that takes minutes. */
    boolean isLarge() {
        return configuration.endsWith(ProtocolTest.LARGE);
    }

    String module() {
        return configuration.substring(0, configuration.indexOf('-'));
    }

    String quotedRules() {
        return rules.stream().map(rule -> '"' + rule + '"').collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return module() + " without " + String.join(" and ", rules);
    }
}
