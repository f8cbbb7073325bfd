/**
 * The {@code relayed} channel: INVs, greetings and their ACKs as letters in the members' {@link
 * io.lambdafs.coordinator.Mailboxes}, for platforms where instances cannot reach each other (the paper's §3.5, whose
 * INVs and ACKs go through ZooKeeper), and as a second attempt before a member is fenced.
 */
@NullMarked
package io.lambdafs.coordinator.relayed;

import org.jspecify.annotations.NullMarked;
