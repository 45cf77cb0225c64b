"""The system clock of the device, and the clock that tests advance."""

import asyncio
import threading

import pytest

from cribd.clock import ManualClock, SystemClock


async def test_sleepers_wake_in_the_order_of_their_time() -> None:
    clock, woken = ManualClock(), list[str]()

    async def sleeper(name: str, seconds: float) -> None:
        await clock.sleep(seconds)
        woken.append(f"{name} {clock.now() - 1000:.1f}")

    tasks = [asyncio.create_task(sleeper("late", 2)), asyncio.create_task(sleeper("early", 1))]
    await clock.advance(1.5)
    assert woken == ["early 1.0"]
    await clock.advance(1.0)
    assert woken == ["early 1.0", "late 2.0"]
    await asyncio.gather(*tasks)


async def test_a_task_that_sleeps_often_lets_all_others_run_at_their_time() -> None:
    clock, seen = ManualClock(), list[str]()

    async def often() -> None:
        while True:
            await clock.sleep(1)
            seen.append(f"often {clock.now() - 1000:.1f}")

    async def seldom() -> None:
        await clock.sleep(2.5)
        seen.append("seldom")
        await clock.sleep(0)
        seen.append("seldom again")

    tasks = [asyncio.create_task(often()), asyncio.create_task(seldom())]
    await clock.advance(3.5)
    assert seen == ["often 1.0", "often 2.0", "seldom", "seldom again", "often 3.0"]
    assert clock.now() == 1003.5
    await clock.advance(0.4)
    assert seen[5:] == []
    await clock.advance(0.1)
    assert seen[5:] == ["often 4.0"]
    for task in tasks:
        task.cancel()


async def test_the_effects_of_a_task_are_done_before_its_next_sleep() -> None:
    clock, seen = ManualClock(), list[float]()
    rung = asyncio.Event()

    async def bell() -> None:
        for _ in range(3):
            await clock.sleep(1)
            rung.set()

    async def ear() -> None:
        while True:
            await rung.wait()
            rung.clear()
            seen.append(clock.now() - 1000)

    tasks = [asyncio.create_task(bell()), asyncio.create_task(ear())]
    await clock.advance(5)
    assert seen == [1, 2, 3]
    for task in tasks:
        task.cancel()


async def test_work_that_is_called_later_is_called_between_the_sleepers() -> None:
    clock, seen = ManualClock(), list[str]()

    def work() -> bool:
        seen.append(f"work {clock.now() - 1000:.1f}")
        clock.call_later(1, work)
        return False

    async def sleeper() -> None:
        await clock.sleep(1.5)
        seen.append("sleeper")

    clock.call_later(1, work)
    task = asyncio.create_task(sleeper())
    await clock.advance(2)
    assert seen == ["work 1.0", "sleeper", "work 2.0"]
    await task


async def test_the_system_clock_calls_work_later() -> None:
    clock, called = SystemClock(), asyncio.Event()
    before = clock.now()

    def work() -> bool:
        called.set()
        return True

    clock.call_later(0.002, work)
    await called.wait()
    assert clock.now() - before >= 0.001


async def test_work_in_a_thread_takes_its_time_while_other_tasks_run() -> None:
    clock, seen = ManualClock(), list[str]()

    def work() -> str:
        before = clock.now()
        clock.wait(0.025)
        return f"took {clock.now() - before:.3f}"

    async def worker() -> None:
        seen.append(await clock.run_in_thread(work))

    async def other() -> None:
        await clock.sleep(0.010)
        seen.append("other")

    tasks = [asyncio.create_task(worker()), asyncio.create_task(other())]
    await clock.advance(0.024)
    assert seen == ["other"]
    await clock.advance(0.002)
    assert seen == ["other", "took 0.025"]
    await asyncio.gather(*tasks)


async def test_work_in_a_thread_may_raise() -> None:
    def work() -> None:
        raise OSError("gone")

    for clock in (SystemClock(), ManualClock()):
        task = asyncio.create_task(clock.run_in_thread(work))
        if isinstance(clock, ManualClock):
            await clock.advance(0.001)
        with pytest.raises(OSError, match="gone"):
            await task


async def test_the_system_clock_runs_work_in_another_thread() -> None:
    assert await SystemClock().run_in_thread(threading.get_ident) != threading.get_ident()


@pytest.mark.parametrize("fails", [False, True])
async def test_a_cancelled_caller_waits_until_the_work_in_the_thread_ends(fails: bool) -> None:
    begun, go_on, done = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        assert go_on.wait(10)
        done.set()
        if fails:
            raise OSError("gone")

    task = asyncio.create_task(SystemClock().run_in_thread(work))
    while not begun.is_set():
        await asyncio.sleep(0.001)
    for _ in range(2):
        task.cancel()
        await asyncio.sleep(0.002)
        assert not task.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert done.is_set()


def test_a_wakeup_before_the_wait_is_not_lost_and_two_count_as_one() -> None:
    manual = ManualClock()
    wakeup = manual.wakeup()
    wakeup.set()
    wakeup.set()
    wakeup.wait(5)
    assert manual.now() == 1000
    wakeup.wait(5)
    assert manual.now() == 1005


def test_a_wakeup_wakes_the_thread_that_waits_for_it() -> None:
    wakeup, heard = SystemClock().wakeup(), threading.Event()
    wakeup.set()
    wakeup.set()
    wakeup.wait(60)  # set before

    def worker() -> None:
        wakeup.wait(60)
        heard.set()

    thread = threading.Thread(target=worker)
    thread.start()
    assert not heard.is_set()
    wakeup.set()
    thread.join(timeout=10)
    assert heard.is_set()


def test_an_alarm_that_is_not_set_ends_by_its_timeout() -> None:
    clock = SystemClock()
    before = clock.now()
    clock.wakeup().wait(0.002)
    clock.wakeup().wait(-1)
    assert clock.now() - before >= 0.002
