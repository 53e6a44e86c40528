"""Time-based steps of tasks: every step has an event, in any order, and a killed worker repeats none."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from fixtures.app_contexts import SetClock, Tenant, create_tenant, open_migrated_context, settings_for
from fixtures.server_process import Server, eventually
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formwright.api.v1_0.schemas import tasks as schemas
from formwright.core.errors import Invalid
from formwright.core.pagination import Window
from formwright.domain.tasks import respond, scheduler
from formwright.domain.tasks import service as tasks
from formwright.domain.tasks.models import (
    ENDED_STATUSES,
    CompleteWhen,
    NewTask,
    Task,
    TaskAnswered,
    TaskChange,
    TaskEnded,
    TaskNotFound,
    TaskNotOpen,
    TaskStatus,
)
from formwright.domain.users import management
from formwright.domain.users.models import NewUser
from formwright.domain.webhooks import event_log
from formwright.settings import Settings

HOUR = 3_600_000
Steps = list[tuple[str, int]]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["save", "send", "decline", "revoke", "complete", "reassign", "later", "tick", "back"]),
        st.integers(0, 1),
    ),
    min_size=1,
    max_size=10,
)


async def crew(here: Tenant) -> list[str]:
    """Return two users."""
    async with here.ctx.db.writing() as tx:
        new = [NewUser(f"{name}.{here.id}@example.org", name) for name in ("ann", "bob")]
        return [(await management.create(tx, here.actor, one, password_hash="-")).id for one in new]


async def task_events(here: Tenant, task: Task) -> list[dict[str, Any]]:
    """Return the task as it is in each of its events."""
    async with here.ctx.db.reading() as tx:
        events = (await event_log.page(tx, here.actor, Window(1000))).items
    bodies = [msgspec.json.decode(event.body) for event in events if event.type.startswith("task.")]
    return [body | {"at": body["type"]} for body in bodies if body["data"]["id"] == task.id]


async def step(here: Tenant, task: Task, people: list[str], what: str, which: int, clock: SetClock) -> None:
    """Run a step; if the status does not allow it, it is rejected and changes nothing."""
    whose, version = (here.id, people[which], task.id), here.form.published_version_id or ""
    async with here.ctx.db.writing() as tx:
        match what:
            case "save":
                await respond.save(tx, *whose, version_id=version, data={"site": "a"})
            case "send":
                await respond.submit(tx, *whose, version_id=version, data={"site": "a"})
            case "decline":
                await respond.decline(tx, *whose, "no")
            case "revoke":
                await tasks.revoke(tx, here.actor, task_id=task.id)
            case "complete":
                await tasks.complete(tx, here.actor, task_id=task.id)
            case "reassign":
                to = TaskChange(user_ids=people[which:])
                await tasks.change(tx, here.actor, to, secret_box=here.ctx.secret_box, task_id=task.id)
            case "later":
                due = TaskChange(due_at=clock.ms + 5 * HOUR)
                await tasks.change(tx, here.actor, due, secret_box=here.ctx.secret_box, task_id=task.id)
            case _:
                clock.ms += HOUR if what == "tick" else -HOUR
                await scheduler.run_due(tx, here.ctx.secret_box, here.id, task.id)


async def run(
    here: Tenant, people: list[str], clock: SetClock, steps: list[tuple[str, int]], when: CompleteWhen
) -> None:
    new = NewTask(people, publish_after=HOUR, due_at=clock.ms + 2 * HOUR, complete_when=when)
    async with here.ctx.db.writing() as tx:
        task = await tasks.create(tx, here.actor, form_id=here.form.id, new=new)
    for what, which in steps:
        with suppress(TaskEnded, TaskNotOpen, TaskAnswered, TaskNotFound, Invalid):
            await step(here, task, people, what, which, clock)
    async with here.ctx.db.reading() as tx:
        now = await tasks.get(tx, here.actor, task_id=task.id)
    events = await task_events(here, task)
    # The last event contains the task as it is, and each event follows from the previous one.
    assert events[-1]["data"] == msgspec.json.decode(msgspec.json.encode(schemas.task(now)))
    assert [event["data"]["revision"] for event in events if event["type"] != "task.opened"] == sorted(
        {event["data"]["revision"] for event in events if event["type"] != "task.opened"}
    )
    ends = [event for event in events if event["data"]["status"] in ENDED_STATUSES]
    assert len(ends) == (now.status in ENDED_STATUSES)
    overdue = sum(event["type"] == "task.overdue" for event in events)
    assert overdue <= 1 + sum(what == "later" for what, _ in steps)
    assert sum(event["type"] == "task.opened" for event in events) == (events[-1]["data"]["status"] != "SCHEDULED") or (
        now.status is TaskStatus.REVOKED
    )


@pytest.mark.slow
async def test_after_any_sequence_of_steps_the_events_match(own_settings: Settings) -> None:
    clock = SetClock(1_900_000_000_000)
    async with open_migrated_context(own_settings, clock=clock) as ctx:
        here = await create_tenant(ctx)
        people, loop = await crew(here), asyncio.get_running_loop()

        @settings(max_examples=25, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(STEPS, st.sampled_from(CompleteWhen))
        def play(steps: Steps, when: CompleteWhen) -> None:
            asyncio.run_coroutine_threadsafe(run(here, people, clock, steps, when), loop).result(30)

        await asyncio.to_thread(play)


@pytest.mark.slow
async def test_a_worker_killed_at_the_due_time_publishes_each_event_once(tmp_path: Path) -> None:
    async with open_migrated_context(settings_for(tmp_path)) as ctx:
        here = await create_tenant(ctx)
        people = await crew(here)
        soon = [NewTask(people, publish_after=1500, notify=True) for _ in range(60)]
        async with ctx.db.writing() as tx:
            created = await tasks.create_many(tx, here.actor, form_id=here.form.id, new=soon)
        ids = {task.id for task in created}

        async def opened_ids() -> list[str]:
            async with ctx.db.reading() as tx:
                found = (
                    await event_log.page(tx, here.actor, Window(1000), event_log.EventFilter(["task.opened"]))
                ).items
            return [msgspec.json.decode(event.body)["data"]["id"] for event in found]

        worker = Server(tmp_path)
        try:
            worker.spawn("worker")
            await eventually(opened_ids, 30)
            worker.kill()
            worker.spawn("worker")

            async def all_open() -> bool:
                return len(await opened_ids()) >= len(ids)

            await eventually(all_open, 30)
        finally:
            worker.close()
        found = await opened_ids()
        assert (len(found), set(found)) == (len(ids), ids)
        async with ctx.db.reading() as tx:
            rows = await tx.fetch("SELECT subject_id, count(*) FROM mails WHERE purpose = 'task' GROUP BY subject_id")
        assert {row[0]: row[1] for row in rows} == dict.fromkeys(ids, len(people))
