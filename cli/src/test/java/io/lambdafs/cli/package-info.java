/** What a user types, and what comes back: exit codes, messages, output. No test here starts a cluster. */
package io.lambdafs.cli;
